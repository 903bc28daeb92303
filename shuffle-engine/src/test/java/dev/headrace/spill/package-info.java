@NullMarked
package dev.headrace.spill;

import org.jspecify.annotations.NullMarked;
