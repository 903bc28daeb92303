/**
 * Step 1 of the data path: Arrow IPC bytes in, {@link dev.headrace.table.Column} views out, and back again. Enters: a
 * memory segment that the caller owns for the length of the call. Leaves: views into it. Nothing here keeps memory;
 * runs on the caller's thread.
 */
@NullMarked
package dev.headrace.table;

import org.jspecify.annotations.NullMarked;
