package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.transport.ucx.JobKey;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RankActorTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Set<Class<?>> TYPES_THAT_CROSS =
            Set.of(long.class, String.class, String[].class, byte[].class, long[].class, ByteBuffer.class);

    private static final String[] KEY = {"k"};

    @TempDir
    private Path spill;

    @Test
    void shouldKeepToTheRulesOfRay() {
        assertThat(RankActor.class).isFinal();
        assertThat(RankActor.class.getDeclaredConstructors())
                .singleElement()
                .extracting(Constructor::getParameterCount)
                .isEqualTo(1);
        List<Method> methods = Arrays.stream(RankActor.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .toList();
        assertThat(methods).extracting(Method::getName).doesNotHaveDuplicates();
        assertThat(methods).allSatisfy(method -> {
            assertThat(method.getReturnType()).isEqualTo(byte[].class);
            assertThat(TYPES_THAT_CROSS).containsAll(Arrays.asList(method.getParameterTypes()));
        });
    }

    @Test
    void shouldAnswerEveryCallWithWhatKeptItFromStarting() {
        RankActor actor = new RankActor("rank=0");
        for (byte[] reply : Stream.of(actor.describe(), actor.room(), actor.finish(1, new long[0], 0))
                .toList()) {
            assertThatThrownBy(() -> Reply.open(0, reply)).hasMessage("the rank's setting ranks is missing");
        }
        assertThat(Reply.open(0, actor.shutdown()).remaining()).isZero();
    }

    @Test
    void shouldRefuseArgumentsThatCantBe() {
        RankActor actor = actor();
        refuses(actor.open(1, "sideways", KEY, null, null, 0, 4, null, SECOND), "kind is 'sideways'");
        refuses(actor.open(1, "hash", KEY, null, null, 0, 1L << 40, null, SECOND), "number of partitions");
        refuses(actor.open(1, "hash", KEY, null, null, 0, 0, null, SECOND), "partitions is 0");
        refuses(actor.open(1, "hash", KEY, null, null, 0, 4, new byte[] {1, 2}, SECOND), "");
        refuses(actor.open(1, "range", KEY, null, null, 0, 4, null, SECOND), "1 keys have 0 directions");
        refuses(actor.open(1, "range", KEY, new byte[1], null, 0, 4, null, SECOND), "without boundaries");
        refuses(actor.open(1, "random", KEY, null, null, 0, 4, null, SECOND), "takes no key columns");
        refuses(actor.fetch(7, 0, 0), "shuffle 7 is not open");
        refuses(actor.connectPeer(9, 1, new byte[0]), "rank 9");
        Reply.open(0, actor.shutdown());
    }

    @Test
    void shouldServeAShuffleFromOpenToClose() {
        RankActor actor = actor();
        Reply.open(0, actor.awaitConnected(SECOND));
        Reply.open(0, actor.open(5, "hash", KEY, null, null, 0, 2, null, 100 * SECOND));
        byte[] batch = TestBatches.good(0, 10);
        ByteBuffer ipc = ByteBuffer.allocateDirect(batch.length).put(batch).flip();
        ByteBuffer inserted = Reply.open(0, actor.insert(5, 0, ipc));
        assertThat(inserted.get()).isOne();
        assertThat(inserted.getLong()).isPositive();
        assertThat(inserted.getLong()).isEqualTo(10);
        refuses(actor.rows(5), "not known yet: ranks [0] have not finished");
        assertThat(Reply.open(0, actor.finish(5, new long[] {0}, 10)).getLong()).isEqualTo(10);
        ByteBuffer rows = Reply.open(0, actor.rows(5));
        assertThat(rows.getLong() + rows.getLong()).isEqualTo(10);
        assertThat(rows.remaining()).isZero();
        int complete = Reply.open(0, actor.completed(5, 0, SECOND)).getInt();
        assertThat(complete).isPositive();
        ByteBuffer fetched = Reply.open(0, actor.fetch(5, 1, 0));
        ByteBuffer inPlace = ByteBuffer.wrap(actor.page(5, 1, 0)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(fetched.get()).isOne();
        assertThat(inPlace.get(1)).isOne();
        assertThat(inPlace.slice(Reply.PAGE_HEAD_BYTES, (int) inPlace.getLong(8)))
                .isEqualTo(fetched);
        Reply.open(0, actor.release(5, 1));
        refuses(actor.fetch(5, 1, 0), "released");
        Reply.open(0, actor.closeShuffle(5));
        assertThat(text(actor.statistics())).startsWith("{").contains("\"shuffle-rows-in\": 10");
        assertThat(text(actor.describe())).contains("transport=in-process", "pid=");
        Reply.open(0, actor.shutdown());
        Reply.open(0, actor.shutdown());
        refuses(actor.room(), "shut down");
    }

    private RankActor actor() {
        return new RankActor(DriverSettings.of(1, 32 << 20, List.of(spill))
                .withTransport("in-process", "", "lo")
                .forRank(0, 1, JobKey.random())
                .format());
    }

    private static void refuses(byte[] reply, String message) {
        assertThatThrownBy(() -> Reply.open(0, reply)).hasMessageContaining(message);
    }

    private static String text(byte[] reply) {
        return StandardCharsets.UTF_8.decode(Reply.open(0, reply)).toString();
    }
}
