package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CallGateTest {

    private final CallGate gate = new CallGate(2);
    private final List<CompletableFuture<byte[]>> started = new ArrayList<>();

    @Test
    void shouldStartTheNextCallWhenOneEnds() {
        List<CompletableFuture<byte[]>> replies = List.of(call(), call(), call(), call());
        assertThat(started).hasSize(2);
        started.get(1).complete(new byte[] {7});
        assertThat(started).hasSize(3);
        assertThat(replies.get(1)).isCompletedWithValueMatching(reply -> reply[0] == 7);
        started.get(0).completeExceptionally(new IllegalStateException("gone"));
        assertThat(started).hasSize(4);
        assertThat(replies.get(0)).isCompletedExceptionally();
    }

    @Test
    void shouldGoOnAfterACallThatDoesNotStart() {
        CompletableFuture<byte[]> first = call();
        CompletableFuture<byte[]> second = call();
        CompletableFuture<byte[]> refused = gate.call(() -> {
            throw new IllegalStateException("no");
        });
        CompletableFuture<byte[]> last = call();
        started.get(0).complete(new byte[0]);
        assertThat(refused).isCompletedExceptionally();
        assertThat(started).hasSize(3);
        started.get(1).complete(new byte[0]);
        started.get(2).complete(new byte[0]);
        assertThat(List.of(first, second, last)).allMatch(CompletableFuture::isDone);
    }

    private CompletableFuture<byte[]> call() {
        return gate.call(() -> {
            CompletableFuture<byte[]> reply = new CompletableFuture<>();
            started.add(reply);
            return reply;
        });
    }
}
