/// Why a Service does or does not reach its pods: evidence in, findings out. See README.md.
module io.fairlead.insight {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.fairlead.controller;
  requires transitive io.fairlead.proxy;
  requires transitive io.fairlead.policy;
  requires io.fairlead.dns;

  exports io.fairlead.insight.dump;
  exports io.fairlead.insight.environment;
  exports io.fairlead.insight.evidence;
  exports io.fairlead.insight.explain;
  exports io.fairlead.insight.finding;
  exports io.fairlead.insight.gather;
  exports io.fairlead.insight.history;
  exports io.fairlead.insight.progress;
  exports io.fairlead.insight.nodrop;
  exports io.fairlead.insight.simulate;
  exports io.fairlead.insight.testing;
  exports io.fairlead.insight.verify;
}
