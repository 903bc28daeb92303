/**
 * What happened: how many bytes, rows and seconds went where.
 *
 * <p>Enters: single facts, from any thread, through {@link dev.headrace.metrics.Statistics}, which the engine owns.
 * Leaves: {@link dev.headrace.metrics.Snapshot}s, immutable, as a table for people and as JSON for machines. A new
 * figure is one constant of {@link dev.headrace.metrics.Statistic} and a row of the README's table.
 */
@NullMarked
package dev.headrace.metrics;

import org.jspecify.annotations.NullMarked;
