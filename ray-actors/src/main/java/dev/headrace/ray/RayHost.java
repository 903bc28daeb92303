package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import io.ray.api.ActorHandle;
import io.ray.api.ObjectRef;
import io.ray.api.PlacementGroups;
import io.ray.api.Ray;
import io.ray.api.function.PyFunction;
import io.ray.api.options.PlacementGroupCreationOptions;
import io.ray.api.placementgroup.PlacementGroup;
import io.ray.api.placementgroup.PlacementStrategy;
import io.ray.api.runtimecontext.NodeInfo;
import io.ray.api.runtimeenv.RuntimeEnv;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Ranks as Ray actors, spread over the nodes by a placement group that holds the memory they declare and no CPU: they
 * would starve the tasks that they serve.
 */
final class RayHost implements RankHost {

    /** Ray frees a batch only when this JVM has collected the reference to it, which takes a push now and then. */
    private static final long COLLECT_EVERY_BYTES = 256L << 20;

    private static final Duration DIAGNOSIS_TIMEOUT = Duration.ofSeconds(10);

    private final DriverSettings settings;
    private final JavaWorker worker;
    private final ReplyPump pump = new ReplyPump();
    private final List<RayCalls> calls = new ArrayList<>();
    private final AtomicLong droppedBytes = new AtomicLong();
    private final PlacementGroup group;

    private RayHost(DriverSettings settings) {
        this.settings = settings;
        this.worker = new JavaWorker(settings);
        Map<String, Double> bundle = Map.of("memory", (double) settings.declaredBytes());
        this.group = PlacementGroups.createPlacementGroup(new PlacementGroupCreationOptions.Builder()
                .setName("headrace-" + UUID.randomUUID())
                .setBundles(Collections.nCopies(settings.ranks(), bundle))
                .setStrategy(PlacementStrategy.SPREAD)
                .build());
    }

    /** Asks Ray for the ranks; they may still be starting, or never start, when it returns. */
    static RayHost start(DriverSettings settings, JobKey jobKey) {
        if (!Ray.isInitialized()) {
            throw HeadraceException.invalidInput("Ray is not initialised: call Ray.init() before, with"
                    + " -Dray.address=host:port of a running Ray");
        }
        RayHost host = new RayHost(settings);
        try {
            RayVersion version = RayVersion.ask();
            host.place(jobKey);
            version.check(settings.startTimeout());
        } catch (RuntimeException failure) {
            host.close();
            throw failure;
        }
        return host;
    }

    private void place(JobKey jobKey) {
        int seconds = (int) Math.max(1, settings.startTimeout().toSeconds());
        if (!group.wait(seconds)) {
            throw HeadraceException.deadline("Ray did not find " + settings.ranks() + " times "
                    + settings.declaredBytes() + " bytes of its memory resource within " + seconds
                    + " s; the nodes have in all " + nodeMemory());
        }
        RuntimeEnv environment = worker.runtimeEnvironment();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ActorHandle<RankActor> actor = Ray.actor(
                            RankActor::new, settings.forRank(rank, 1, jobKey).format())
                    .setRuntimeEnv(environment)
                    .setPlacementGroup(group, rank)
                    .setResource("memory", (double) settings.declaredBytes())
                    .setMaxConcurrency(CallKind.threads())
                    .setMaxRestarts(0)
                    .remote();
            calls.add(new RayCalls(actor, pump));
        }
    }

    @Override
    public int ranks() {
        return calls.size();
    }

    @Override
    public RankCalls calls(int rank) {
        return calls.get(rank);
    }

    @Override
    @SuppressWarnings("unchecked")
    public StoredBatch put(byte[] ipc) {
        ObjectRef<?> reference = Ray.put(ipc);
        return new RayCalls.InObjectStore((ObjectRef<ByteBuffer>) reference, ipc.length);
    }

    @Override
    public void drop(StoredBatch batch) {
        long dropped = droppedBytes.addAndGet(batch.bytes());
        if (dropped >= COLLECT_EVERY_BYTES && droppedBytes.compareAndSet(dropped, 0)) {
            // Otherwise an idle heap leaves every batch in Ray's object store, which then spills them to disk.
            System.gc();
        }
    }

    @Override
    public String diagnose() {
        String seen;
        try {
            seen = Ray.task(PyFunction.of("subprocess", "getoutput", String.class), worker.checkCommand())
                    .setResource("CPU", 0.0)
                    .remote()
                    .get(DIAGNOSIS_TIMEOUT.toMillis());
        } catch (RuntimeException failure) {
            return "no worker could be asked why: " + failure.getMessage();
        }
        String said = seen.lines()
                .filter(line -> !line.startsWith("NOTE: Picked up"))
                .collect(Collectors.joining(" "))
                .strip();
        return said.contains("ok ")
                ? "a JVM with its settings does start on a node (" + said + "); the workers' logs say more"
                : "the JVM says: " + said;
    }

    @Override
    public void close() {
        for (RayCalls each : calls) {
            each.actor().kill();
        }
        pump.close();
        PlacementGroups.removePlacementGroup(group.getId());
    }

    private static String nodeMemory() {
        double bytes = 0;
        for (NodeInfo node : Ray.getRuntimeContext().getAllNodeInfo()) {
            if (node.isAlive) {
                bytes += node.resources.getOrDefault("memory", 0.0);
            }
        }
        return (long) bytes + " bytes, of which others may use a part";
    }
}
