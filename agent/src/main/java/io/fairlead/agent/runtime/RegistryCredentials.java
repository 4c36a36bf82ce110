package io.fairlead.agent.runtime;

/// Who one is to a registry.
public record RegistryCredentials(String user, String password) {
  /// Without the secret: records are printed in messages.
  @Override
  public String toString() {
    return "Credentials[user=" + user + "]";
  }
}
