package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.transport.ucx.JobKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RankSettingsTest {

    private final RankSettings settings = DriverSettings.of(3, 100 << 20, List.of(Path.of("/a b"), Path.of("/ü")))
            .withTransport("ucx", "/opt/ucx", "eth0,eth1")
            .withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(20))
            .forRank(2, 7, JobKey.random());

    @Test
    void shouldComeOutAsTheyWentIn() {
        RankSettings parsed = RankSettings.parse(settings.format());
        assertThat(parsed).usingRecursiveComparison().ignoringFields("jobKey").isEqualTo(settings);
        assertThat(parsed.jobKey().toHex()).isEqualTo(settings.jobKey().toHex());
    }

    @Test
    void shouldNotShowTheKey() {
        assertThat(settings.toString()).doesNotContain(settings.jobKey().toHex());
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> RankSettings.parse("rank=1")).hasMessageContaining("setting ranks is missing");
        assertThatThrownBy(() -> RankSettings.parse("rank=-1")).hasMessageContaining("rank is '-1'");
        assertThatThrownBy(() -> RankSettings.parse("rank=x")).hasMessageContaining("rank is 'x'");
        assertThatThrownBy(() -> RankSettings.parse("rank=\\u00")).hasMessageContaining("are not properties text");
    }
}
