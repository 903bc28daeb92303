@NullMarked
package dev.headrace.metrics;

import org.jspecify.annotations.NullMarked;
