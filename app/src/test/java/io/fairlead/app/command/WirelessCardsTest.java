package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WirelessCardsTest {
  @TempDir Path interfaces;

  private void has(String... paths) throws IOException {
    for (String path : paths) {
      Files.createDirectories(interfaces.resolve(path));
    }
  }

  @Test
  void saysWhenAllCardsAreWireless() throws IOException {
    has("lo", "docker0", "wlan0/device", "wlan0/wireless", "wlp2/device", "wlp2/phy80211");
    assertThat(WirelessCards.onlyOnes(interfaces)).contains("wlan0, wlp2");
  }

  @Test
  void saysNothingWhereThereIsACable() throws IOException {
    has("wlan0/device", "wlan0/wireless", "eth0/device");
    assertThat(WirelessCards.onlyOnes(interfaces)).isEmpty();
  }

  @Test
  void saysNothingWhereThereIsNoCardAtAll() throws IOException {
    has("lo", "eth0");
    assertThat(WirelessCards.onlyOnes(interfaces)).isEmpty();
    assertThat(WirelessCards.onlyOnes(interfaces.resolve("none"))).isEmpty();
  }
}
