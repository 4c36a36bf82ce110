package io.fairlead.app.dns;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signals the JVM leaves to us. The JDK has no supported way to handle them; the class that does
/// is reached by name, and where it is missing the signal does what it always did.
public final class Signals {
  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /// Runs something whenever a signal comes, each time on a thread of its own.
  ///
  /// @param name without `SIG`
  public static void on(String name, Runnable work) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (_, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      Thread.ofVirtual().name("signal-" + name).start(work);
                      yield null;
                    }
                    case "equals" -> arguments != null && name.equals(arguments[0].toString());
                    case "hashCode" -> name.hashCode();
                    default -> name;
                  });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      log.atWarn().addKeyValue("signal", name).setCause(e).log("cannot handle a signal");
    }
  }
}
