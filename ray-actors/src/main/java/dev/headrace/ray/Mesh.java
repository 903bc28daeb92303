package dev.headrace.ray;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes single ranks into one group: waits until they run, and connects each with each. */
final class Mesh {

    /** All ranks are in their first life. */
    private static final long INCARNATION = 1;

    private Mesh() {}

    /** Waits until every rank answers; the failure says which does not, and why. */
    static void awaitStarted(List<Rank> ranks, RankHost host, TimeLimit limit) {
        List<CompletableFuture<String>> started =
                ranks.stream().map(Rank::describe).toList();
        for (int rank = 0; rank < started.size(); rank++) {
            try {
                limit.await(started.get(rank), "the start of rank " + rank);
            } catch (HeadraceException failure) {
                throw explained(rank, failure, host);
            }
        }
    }

    /** Tells every rank where the others are and waits until all are connected. */
    static void connect(List<Rank> ranks, TimeLimit limit) {
        List<byte[]> addresses = awaitAll(ranks.stream().map(Rank::address).toList(), limit, "address");
        List<CompletableFuture<Rank.Done>> told = new ArrayList<>();
        for (Rank rank : ranks) {
            for (Rank peer : ranks) {
                if (peer != rank) {
                    told.add(rank.connectPeer(peer.number(), INCARNATION, addresses.get(peer.number())));
                }
            }
        }
        awaitAll(told, limit, "connect");
        awaitAll(
                ranks.stream()
                        .map(rank -> rank.awaitConnected(limit.remainingNanos()))
                        .toList(),
                limit,
                "connect");
    }

    /** Bytes that each rank can take, by rank number. */
    static long[] room(List<Rank> ranks, TimeLimit limit) {
        return awaitAll(ranks.stream().map(Rank::room).toList(), limit, "room").stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    private static <T> List<T> awaitAll(List<CompletableFuture<T>> replies, TimeLimit limit, String what) {
        return replies.stream().map(reply -> limit.await(reply, what)).toList();
    }

    private static HeadraceException explained(int rank, HeadraceException failure, RankHost host) {
        if (failure.category() != Category.DEADLINE && failure.category() != Category.PEER_LOST) {
            // The rank runs and says itself what it lacks.
            return failure;
        }
        return new HeadraceException(
                failure.category(),
                failure.action(),
                rank,
                "rank " + rank + " did not start: " + failure.getMessage() + "; " + host.diagnose(),
                failure);
    }
}
