package dev.headrace.testing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A Java actor without any library: shows that Java workers start and what calls carry. Any thread. */
public final class EchoActor {
    private final String settings;

    public EchoActor(String settings) {
        this.settings = settings;
    }

    public byte[] describe() {
        String text = System.getProperty("java.version") + "\n" + ProcessHandle.current().pid() + "\n" + settings;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Answers with the bytes seen, negative if they are a copy and no view of the object store. */
    public long measure(long number, String[] names, long[] numbers, ByteBuffer bytes) {
        long seen = bytes.remaining() + number + names.length + numbers.length;
        return bytes.isDirect() ? seen : -seen;
    }

    public byte[] echo(byte[] bytes) {
        return bytes;
    }

    public byte[] fail(String message) {
        throw new IllegalStateException(message);
    }

    public byte[] waitMillis(long millis) throws InterruptedException {
        Thread.sleep(millis);
        return new byte[0];
    }
}
