package io.fairlead.client.informer;

import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Where an informer gets its time, its patience and its dice from.
public record Pacing(Ticker ticker, Pacer pacer, RandomGenerator random) {
  public static Pacing system() {
    return new Pacing(
        Ticker.system(), Pacer.system(), RandomGeneratorFactory.of("L64X128MixRandom").create());
  }
}
