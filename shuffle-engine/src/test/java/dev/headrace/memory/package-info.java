@NullMarked
package dev.headrace.memory;

import org.jspecify.annotations.NullMarked;
