package io.fairlead.proxy.config;

import java.io.Serial;
import java.util.List;

/// A configuration that cannot be used, with everything that is wrong about it.
public final class ConfigurationException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // A list of texts, which is serializable in every implementation.
  private final List<String> problems;

  public ConfigurationException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
