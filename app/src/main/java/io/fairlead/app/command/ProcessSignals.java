package io.fairlead.app.command;

import io.fairlead.work.Tasks;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signals a component reacts to.
final class ProcessSignals {
  private static final Logger log = LoggerFactory.getLogger(ProcessSignals.class);

  private ProcessSignals() {}

  /// Runs something at every SIGUSR1.
  static void onDump(Runnable work) {
    on("USR1", work);
  }

  /// Runs something at every signal of that name, each time on a thread of its own, in place of
  /// what the JVM does by itself.
  ///
  /// @param name without `SIG`
  ///
  ///   The class behind this is the only way to a signal in Java, but the compiler warns of it in a
  ///   way that cannot be switched off, so it is called by name. Where it is missing, or the JVM
  ///   keeps the signal for itself, nothing is run.
  static void on(String name, Runnable work) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler run =
          (_, method, _) -> {
            if (method.getName().equals("handle")) {
              Tasks.startPlatform("signal-" + name, work::run);
            }
            return null;
          };
      Object listener =
          Proxy.newProxyInstance(
              ProcessSignals.class.getClassLoader(), new Class<?>[] {handler}, run);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), listener);
    } catch (ReflectiveOperationException e) {
      log.atDebug().setCause(e).addKeyValue("signal", name).log("cannot be handled here");
    }
  }
}
