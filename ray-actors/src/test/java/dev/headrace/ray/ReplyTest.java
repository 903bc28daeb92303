package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReplyTest {

    @ParameterizedTest
    @EnumSource(Category.class)
    void shouldCarryAFailureAcross(Category category) {
        byte[] reply = Reply.of(() -> {
            throw new HeadraceException(category, Action.REPLACE_RANK, 5, "käse");
        });
        assertThatThrownBy(() -> Reply.open(2, reply)).isInstanceOfSatisfying(HeadraceException.class, failure -> {
            assertThat(failure.category()).isEqualTo(category);
            assertThat(failure.action()).isEqualTo(Action.REPLACE_RANK);
            assertThat(failure.rank()).isEqualTo(5);
            assertThat(failure).hasMessage("käse");
        });
    }

    @Test
    void shouldHaveTheBytesThatOtherLanguagesRead() {
        assertThat(HexFormat.of().formatHex(Reply.done(1L))).isEqualTo("000100000000000000");
        assertThat(HexFormat.of().formatHex(Reply.failed(HeadraceException.peerLost(3, "x"))))
                .isEqualTo("01" + "03" + "02" + "03000000" + "78");
        assertThat(HexFormat.of().formatHex(Reply.failed(HeadraceException.deadline("x"))))
                .isEqualTo("01" + "05" + "01" + "ffffffff" + "78");
    }

    @Test
    void shouldTurnAnythingThrownIntoATypedFailure() {
        byte[] overflow = Reply.of(() -> {
            throw new StackOverflowError();
        });
        assertThatThrownBy(() -> Reply.open(4, overflow))
                .hasMessage("java.lang.StackOverflowError")
                .extracting(failure -> ((HeadraceException) failure).rank())
                .isEqualTo(4);
        byte[] heap = Reply.of(() -> {
            throw new OutOfMemoryError("Java heap space");
        });
        assertThatThrownBy(() -> Reply.open(4, heap))
                .hasMessageContaining("-Xmx")
                .extracting(failure -> ((HeadraceException) failure).category())
                .isEqualTo(Category.OUT_OF_MEMORY);
    }

    @Test
    void shouldRefuseRepliesOfAnotherVersion() {
        for (byte[] reply : new byte[][] {{}, {9}, {1, 99, 0, 0, 0, 0, 0}, {1, 0}}) {
            assertThatThrownBy(() -> Reply.open(1, reply)).hasMessageContaining("of one version?");
        }
        assertThatThrownBy(() -> Reply.open(1, null)).hasMessageContaining("is empty");
    }
}
