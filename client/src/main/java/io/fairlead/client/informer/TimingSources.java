package io.fairlead.client.informer;

import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Where an informer gets its time, its patience and its dice from.
public record TimingSources(Ticker ticker, Pacer pacer, RandomGenerator random) {
  public static TimingSources system() {
    return new TimingSources(
        Ticker.system(), Pacer.system(), RandomGeneratorFactory.of("L64X128MixRandom").create());
  }
}
