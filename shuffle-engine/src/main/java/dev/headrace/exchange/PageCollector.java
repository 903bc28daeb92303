package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Cuts a manifest into pages that fit a frame, and puts the pages of each source together again, in any order and
 * however often they come. A page: number i32, count i32, total bytes i64, then its bytes; little-endian. Collecting is
 * guarded by the lock of the inbox.
 */
final class PageCollector {
    private static final int HEADER_BYTES = 16;

    /** A peer may say what it likes; this many pages are more than a manifest in a Java array has. */
    private static final int MOST_PAGES = 1 << 16;

    private final Map<Integer, byte[][]> pagesBySource = new HashMap<>();

    static List<byte[]> split(byte[] manifest, long pageBytes) {
        int room = Math.toIntExact(pageBytes) - HEADER_BYTES;
        int count = Math.max(1, Math.ceilDiv(manifest.length, room));
        List<byte[]> pages = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int from = number * room;
            int length = Math.min(room, manifest.length - from);
            ByteBuffer page = ByteBuffer.allocate(HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
            page.putInt(number).putInt(count).putLong(manifest.length).put(manifest, from, length);
            pages.add(page.array());
        }
        return pages;
    }

    /** Takes one page; gives the manifest when it is whole. */
    Optional<byte[]> add(int source, byte[] page) {
        if (page.length < HEADER_BYTES) {
            throw HeadraceException.corruptData(
                    "manifest page of rank " + source + " has only " + page.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        int number = in.getInt();
        int count = in.getInt();
        long total = in.getLong();
        if (count < 1 || count > MOST_PAGES || number < 0 || number >= count) {
            throw HeadraceException.corruptData("manifest page " + number + " of " + count + " from rank " + source);
        }
        byte[][] pages = pagesBySource.computeIfAbsent(source, _ -> new byte[count][]);
        if (pages.length != count) {
            throw HeadraceException.corruptData(
                    "manifest of rank " + source + " has " + pages.length + " pages and then " + count);
        }
        pages[number] = page;
        return Arrays.stream(pages).anyMatch(Objects::isNull)
                ? Optional.empty()
                : Optional.of(join(source, pages, total));
    }

    private static byte[] join(int source, byte[][] pages, long total) {
        long found = Arrays.stream(pages)
                .mapToLong(page -> page.length - HEADER_BYTES)
                .sum();
        if (found != total) {
            throw HeadraceException.corruptData(
                    "manifest of rank " + source + " has " + found + " bytes, but says " + total);
        }
        ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(total));
        for (byte[] page : pages) {
            whole.put(page, HEADER_BYTES, page.length - HEADER_BYTES);
        }
        return whole.array();
    }
}
