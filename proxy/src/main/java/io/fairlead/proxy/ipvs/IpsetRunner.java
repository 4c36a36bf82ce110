package io.fairlead.proxy.ipvs;

/// The ipset tool. Failures are [io.fairlead.proxy.core.DataPlaneException].
public interface IpsetRunner {

  /// Carries out the lines of a document of `ipset restore -exist`. Lines before one that is
  /// refused have been carried out.
  void restore(String document);

  /// All sets as `ipset save` prints them.
  String save();
}
