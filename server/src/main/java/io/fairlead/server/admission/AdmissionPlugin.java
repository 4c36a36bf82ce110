package io.fairlead.server.admission;

/// One step of the admission chain. Stateless; any thread.
public interface AdmissionPlugin {
  /// What kube-apiserver calls it, `LimitRanger`.
  String name();

  /// Whether it has anything to do with such a request.
  boolean handles(AdmissionRequest request);

  /// Fills in what depends on other objects. Changes the object, or refuses with an ApiException.
  default void mutate(AdmissionRequest request) {}

  /// Refuses with an ApiException what it does not want; the object is complete and valid by now
  /// and must not be changed.
  default void validate(AdmissionRequest request) {}
}
