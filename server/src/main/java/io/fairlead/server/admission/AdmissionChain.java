package io.fairlead.server.admission;

import io.fairlead.work.Pacer;
import java.util.List;

/// The admission plugins, in the order of kube-apiserver. In the first pass all may change the
/// object, in the second, after its validation, all may refuse it. Quotas come last: what another
/// plugin refuses is never charged.
public final class AdmissionChain {
  /// In their order.
  public static final List<AdmissionPlugin> PLUGINS =
      List.of(
          new LimitRanger(),
          new ServiceAccountAdmission(Pacer.system()),
          new PodSecurity(),
          new PodPriority(),
          new DefaultTolerationSeconds(),
          new DefaultStorageClass(),
          new StorageObjectInUseProtection(),
          new RuntimeClassAdmission());

  private AdmissionChain() {}

  public static void mutate(AdmissionRequest request) {
    for (AdmissionPlugin plugin : PLUGINS) {
      if (plugin.handles(request)) {
        plugin.mutate(request);
      }
    }
  }

  public static void validate(AdmissionRequest request) {
    for (AdmissionPlugin plugin : PLUGINS) {
      if (plugin.handles(request)) {
        plugin.validate(request);
      }
    }
  }
}
