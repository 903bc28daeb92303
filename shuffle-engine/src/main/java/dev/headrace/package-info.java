/** The error type that every package and every door shares. The tour starts in {@code dev.headrace.engine}. */
@NullMarked
package dev.headrace;

import org.jspecify.annotations.NullMarked;
