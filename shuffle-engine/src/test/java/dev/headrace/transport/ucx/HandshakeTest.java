package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.ucx.HandshakeMessage.Challenge;
import dev.headrace.transport.ucx.HandshakeMessage.Hello;
import dev.headrace.transport.ucx.HandshakeMessage.Nonce;
import dev.headrace.transport.ucx.HandshakeMessage.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HandshakeTest {
    private static final byte[] NOTHING = new byte[0];

    private final JobKey key = JobKey.random();
    private final HandshakeKeys ours = new HandshakeKeys(key);
    private final HandshakeKeys theirs = new HandshakeKeys(JobKey.parse(key.toHex()));
    private final Hello hello = new Hello(7, new PeerId(1, 11), new PeerId(2, 22), ours.newNonce());
    private final Challenge challenge = new Challenge(7, 8, theirs.newNonce());

    @Test
    void shouldReadWhatWasWritten() {
        Refusal refusal = new Refusal(7, "no room");
        for (HandshakeMessage message : List.of(hello, challenge, refusal)) {
            byte[] proven = ours.prove(message, NOTHING);

            HandshakeMessage read = HandshakeMessage.decode(proven);

            assertThat(read.encode()).isEqualTo(message.encode());
            assertThat(read.connectorId()).isEqualTo(7);
            assertThat(theirs.proves(read, proven, NOTHING)).isTrue();
        }
    }

    @Test
    void shouldCutLongRefusals() {
        byte[] proven = ours.prove(new Refusal(7, "x".repeat(10_000)), NOTHING);

        assertThat(((Refusal) HandshakeMessage.decode(proven)).reason()).hasSize(HandshakeMessage.MAX_REASON_BYTES);
    }

    @Test
    void shouldNotTakeProofWithAnotherKey() {
        byte[] forged = new HandshakeKeys(JobKey.random()).prove(hello, NOTHING);

        assertThat(ours.proves(hello, forged, NOTHING)).isFalse();
    }

    @Test
    void shouldNotTakeProofForAnotherHello() {
        byte[] said = ours.prove(hello, NOTHING);
        byte[] other = ours.prove(new Hello(7, hello.from(), hello.to(), ours.newNonce()), NOTHING);
        byte[] answer = theirs.prove(challenge, said);

        assertThat(ours.proves(challenge, answer, said)).isTrue();
        assertThat(ours.proves(challenge, answer, other)).isFalse();
    }

    @Test
    void shouldNotTakeAnyChangedByte() {
        byte[] proven = ours.prove(hello, NOTHING);
        for (int i = 0; i < proven.length; i++) {
            byte[] changed = proven.clone();
            changed[i] ^= 1;
            assertThat(theirs.proves(hello, changed, NOTHING)).as("byte %d", i).isFalse();
        }
    }

    @Test
    void shouldRefuseDamagedMessagesOfEveryLength() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] proven = ours.prove(hello, NOTHING);
        for (int length = 0; length < proven.length; length++) {
            byte[] cut = Arrays.copyOf(proven, length);
            assertThatThrownBy(() -> HandshakeMessage.decode(cut)).isInstanceOf(HeadraceException.class);
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            assertThatThrownBy(() -> HandshakeMessage.decode(noise))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA));
        }
    }

    @Test
    void shouldGiveBothSidesTheSameKeysAndEachDirectionItsOwn() {
        byte[] said = ours.prove(hello, NOTHING);
        byte[] answer = theirs.prove(challenge, said);
        byte[] message = new byte[Envelope.BYTES + 100];

        ours.fromConnector(said, answer).sign(message, message.length);

        assertThat(theirs.fromConnector(said, answer).verify(message)).isTrue();
        assertThat(theirs.fromAcceptor(said, answer).verify(message)).isFalse();
    }

    @Test
    void shouldCoverEnvelopeAndHeaderByTheSeal() {
        HeaderSeal seal = new HeaderSeal(new byte[32]);
        byte[] message = new byte[Envelope.BYTES + 40];
        new Envelope(Envelope.Kind.BODY, 40, 1, 2, 3, -1, 0).write(java.nio.ByteBuffer.wrap(message));
        seal.sign(message, message.length);
        assertThat(seal.verify(message)).isTrue();
        for (int i = 0; i < message.length; i++) {
            byte[] changed = message.clone();
            changed[i] ^= 1;
            assertThat(seal.verify(changed)).as("byte %d", i).isFalse();
        }
    }

    @Test
    void shouldReadEnvelopeAsItWasWritten() {
        for (Envelope.Kind kind : Envelope.Kind.values()) {
            Envelope envelope = new Envelope(kind, 5, -9, 1L << 40, 1L << 33, 1L << 34, -3);
            byte[] message = new byte[Envelope.BYTES + 5];
            envelope.write(java.nio.ByteBuffer.wrap(message));

            assertThat(Envelope.read(message)).isEqualTo(envelope);
        }
    }

    @Test
    void shouldRefuseImpossibleEnvelopes() {
        byte[] right = new byte[Envelope.BYTES + 5];
        new Envelope(Envelope.Kind.BODY, 5, 1, 1, 1, -1, 0).write(java.nio.ByteBuffer.wrap(right));
        for (int at : new int[] {0, 2, 4, 31, 44}) {
            byte[] wrong = right.clone();
            wrong[at] ^= (byte) 0x90;
            assertThatThrownBy(() -> Envelope.read(wrong)).isInstanceOf(HeadraceException.class);
        }
        assertThatThrownBy(() -> Envelope.read(new byte[Envelope.BYTES - 1])).isInstanceOf(HeadraceException.class);
    }

    @Test
    void shouldKeepKeyOutOfSightAndInShape() {
        assertThat(key.toString()).doesNotContain(key.toHex());
        assertThat(key.toHex()).hasSize(64);
        assertThatThrownBy(() -> JobKey.of(new byte[31])).hasMessageContaining("31");
        assertThatThrownBy(() -> JobKey.parse("secret"))
                .isInstanceOf(HeadraceException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldNotRepeatNonces() {
        Nonce one = ours.newNonce();
        assertThat(one.bytes()).hasSize(32).isNotEqualTo(ours.newNonce().bytes());
    }
}
