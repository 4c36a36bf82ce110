package io.fairlead.controller;

import io.fairlead.client.Client;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.Wiring;
import java.util.ArrayList;
import java.util.List;

/// The controllers of one term: made, started and stopped together.
final class RunningControllers implements AutoCloseable {
  private final Wiring wiring;
  private final List<Controller> controllers = new ArrayList<>();

  private RunningControllers(Wiring wiring) {
    this.wiring = wiring;
  }

  /// Starts all that the options ask for. Throws, with nothing left running, when the server cannot
  /// be asked what it serves.
  static RunningControllers start(Client client, Controllers.Options options) {
    RunningControllers running =
        new RunningControllers(new Wiring(client, options.pacing(), options.clock()));
    try {
      for (Registry.Entry entry : Registry.ALL) {
        if (options.list().enables(entry.name())) {
          running.controllers.add(entry.make().apply(running.wiring, options));
        }
      }
      running.controllers.forEach(Controller::start);
      running.wiring.informers().start();
      return running;
    } catch (RuntimeException e) {
      running.close();
      throw e;
    }
  }

  /// Whether every controller has the state it decides on.
  boolean haveSynced() {
    return wiring.informers().haveSynced();
  }

  @Override
  public void close() {
    controllers.reversed().forEach(Controller::close);
    wiring.close();
  }
}
