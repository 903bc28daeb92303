package dev.headrace.testing;

import dev.headrace.memory.LeakTracker;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test class that leaves a slab, a region, a thread or a file descriptor open. Registered for every class by
 * itself. It also turns on {@link LeakTracker#DEBUG}, so a leak names its origin and memory of a closed slab throws
 * when it is touched. Libraries that keep something for the life of the process are named with {@link Allow}.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Pattern QUIET_FILES =
            Pattern.compile(".*(\\.jar|\\.so[.0-9]*|/modules|/dev/u?random|\\.zip)( \\(deleted\\))?$");
    private static final Pattern QUIET_THREADS = Pattern.compile(
            "ForkJoinPool.*|Common-Cleaner|Cleaner-.*|process reaper.*|Attach Listener|junit-.*|surefire-.*"
                    + "|CompletableFutureDelayScheduler|VirtualThread-un.*|Read-Poller|Write-Poller");

    private static final List<String> SOCKET_TABLES = List.of("tcp", "udp", "unix", "netlink");

    static {
        // The JDK keeps one half of a socket pair from its first channel on.
        try {
            SocketChannel.open().close();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the annotated class may leave open: regular expressions over whole descriptor targets and thread names. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Allow {
        String descriptors() default "";

        String threads() default "";
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isOutermost(context)) {
            if (System.getProperty(LeakTracker.DEBUG) == null) {
                System.setProperty(LeakTracker.DEBUG, "true");
            }
            Snapshot before = new Snapshot(LeakTracker.open(), threads(), descriptors());
            context.getStore(Namespace.create(LeakCheck.class)).put(Snapshot.class, before);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (!isOutermost(context)) {
            return;
        }
        Snapshot before = context.getStore(Namespace.create(LeakCheck.class)).get(Snapshot.class, Snapshot.class);
        Allow allow = context.getRequiredTestClass().getAnnotation(Allow.class);
        if (before != null && !Await.holds(() -> leaks(before, allow).isEmpty(), PATIENCE)) {
            throw new AssertionError(
                    context.getDisplayName() + " left open:\n  " + String.join("\n  ", leaks(before, allow)));
        }
    }

    private static boolean isOutermost(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() == null;
    }

    static List<String> leaks(Snapshot before, @Nullable Allow allow) {
        List<String> leaks = new ArrayList<>(LeakTracker.open());
        leaks.removeAll(before.memory);
        for (Thread thread : threads()) {
            String name = thread.getName();
            if (!before.threads.contains(thread)
                    && !QUIET_THREADS.matcher(name).matches()
                    && !(allow != null && name.matches(allow.threads()))) {
                leaks.add("thread " + thread);
            }
        }
        List<String> known = new ArrayList<>(before.descriptors);
        for (String descriptor : descriptors()) {
            boolean isKnown = known.remove(descriptor);
            if (!isKnown
                    && !QUIET_FILES.matcher(descriptor).matches()
                    && !(allow != null && descriptor.matches(allow.descriptors()))) {
                leaks.add("file descriptor of " + described(descriptor));
            }
        }
        return leaks;
    }

    static Snapshot snapshot() {
        return new Snapshot(LeakTracker.open(), threads(), descriptors());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .collect(Collectors.toSet());
    }

    /** What each open descriptor leads to, but for the one that lists them. */
    private static List<String> descriptors() {
        List<String> targets = new ArrayList<>();
        try (var paths = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path path : paths) {
                String target = target(path);
                if (!target.matches("/proc/[0-9]+/fd") && !target.isEmpty()) {
                    targets.add(target);
                }
            }
        } catch (IOException e) {
            throw new AssertionError("can't list the open descriptors", e);
        }
        return targets;
    }

    private static String target(Path path) throws IOException {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        }
    }

    /** The target of a descriptor and, for a socket, the kernel's line on it, which says its protocol and addresses. */
    private static String described(String target) {
        String inode = target.replaceAll("[^0-9]", "");
        for (String table : target.startsWith("socket:") ? SOCKET_TABLES : List.<String>of()) {
            try (var lines = Files.lines(Path.of("/proc/net", table))) {
                Optional<String> found = lines.filter(line -> line.matches(".*\\b" + inode + "\\b.*"))
                        .findFirst();
                if (found.isPresent()) {
                    return target + " " + table + " " + found.get().strip();
                }
            } catch (IOException e) {
                return target + ", and " + table + " can't be read: " + e;
            }
        }
        return target;
    }

    record Snapshot(List<String> memory, Set<Thread> threads, List<String> descriptors) {}
}
