package io.fairlead.client;

/// Something read from the API: it knows which object it is and in which version.
public interface HasMetadata {
  ObjectMeta metadata();
}
