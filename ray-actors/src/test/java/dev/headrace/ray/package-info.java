/** Tests of the rank actor and of the driver, on ranks of this process. */
@NullMarked
package dev.headrace.ray;

import org.jspecify.annotations.NullMarked;
