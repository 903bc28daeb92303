package dev.headrace.pack;

/**
 * What a frame says about itself beside its lengths and checksums.
 *
 * @param kind what the body is
 * @param wireId the shuffle
 * @param sourceRank the rank that sealed the frame
 * @param incarnation the life of that rank
 * @param sequence number of the frame at its source
 */
public record FrameHeader(Kind kind, long wireId, int sourceRank, long incarnation, long sequence) {

    /** What the body of a frame is. */
    public enum Kind {
        /** Blocks of the frame's layout. */
        DATA(1),
        /** Bytes that mean something to the exchange only. */
        MANIFEST(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** What stands for it in a frame. */
        int code() {
            return code;
        }
    }
}
