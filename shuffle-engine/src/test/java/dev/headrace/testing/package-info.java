/**
 * Helpers that the tests of all modules share: clocks that stand still, stores that fail, and the check that nothing is
 * left open. Used by test threads only.
 */
@NullMarked
package dev.headrace.testing;

import org.jspecify.annotations.NullMarked;
