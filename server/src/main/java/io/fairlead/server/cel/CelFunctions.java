package io.fairlead.server.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All functions, by name. Made once.
final class CelFunctions {
  private final Map<String, List<CelFunction>> byName = new HashMap<>();

  private CelFunctions() {}

  /// Loaded on first use.
  private static final class Holder {
    static final CelFunctions ALL = make();

    private static CelFunctions make() {
      CelFunctions functions = new CelFunctions();
      StandardFunctions.addTo(functions);
      ConversionFunctions.addTo(functions);
      TimeFunctions.addTo(functions);
      TextFunctions.addTo(functions);
      ListFunctions.addTo(functions);
      NetworkFunctions.addTo(functions);
      QuantityFunctions.addTo(functions);
      OptionalFunctions.addTo(functions);
      AuthorizationFunctions.addTo(functions);
      return functions;
    }
  }

  static CelFunctions all() {
    return Holder.ALL;
  }

  List<CelFunction> named(String name) {
    return byName.getOrDefault(name, List.of());
  }

  void function(String name, CelType result, List<CelType> parameters, CelFunction.Body body) {
    add(new CelFunction(name, false, parameters, result, body));
  }

  void method(String name, CelType result, List<CelType> parameters, CelFunction.Body body) {
    add(new CelFunction(name, true, parameters, result, body));
  }

  private void add(CelFunction function) {
    byName.computeIfAbsent(function.name(), _ -> new ArrayList<>()).add(function);
  }
}
