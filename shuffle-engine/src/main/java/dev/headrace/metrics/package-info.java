/**
 * What happened on a rank: counters and times that every package adds to, and their snapshot as text, JSON and Markdown.
 * Enters: numbers from any thread. Leaves: a {@link dev.headrace.metrics.Snapshot}. Owns no memory but its counters.
 */
@NullMarked
package dev.headrace.metrics;

import org.jspecify.annotations.NullMarked;
