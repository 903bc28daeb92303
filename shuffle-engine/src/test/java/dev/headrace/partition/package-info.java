/** Tests of step 2, who gets a row, with columns made from lists by {@link dev.headrace.partition.TestColumns}. */
@NullMarked
package dev.headrace.partition;

import org.jspecify.annotations.NullMarked;
