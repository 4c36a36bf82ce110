/// See README.md.
module io.fairlead.bench {
  requires static org.jspecify;
  requires io.fairlead.agent;
  requires io.fairlead.app;
  requires io.fairlead.client;
  requires io.fairlead.controller;
  requires io.fairlead.kernel;
  requires io.fairlead.policy;
  requires io.fairlead.proxy;
  requires io.fairlead.dns;
  requires io.fairlead.store;
  requires io.fairlead.work;
  requires java.management;
  requires jdk.httpserver;
  requires jdk.management;
}
