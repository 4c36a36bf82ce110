package io.fairlead.server.flowcontrol;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The flow schemas and priority levels of one moment, ready to sort requests by.
///
/// A schema whose level does not exist matches nothing. The mandatory objects are there even when
/// they are missing: then they have no uid.
///
/// @param version what the source called this moment
/// @param flows in the order in which they are asked; the last one takes everything
record FlowControlConfig(long version, List<ClassifiedFlow> flows) {
  /// The requests of a schema at its level, as they are now.
  record ClassifiedFlow(FlowSchema schema, PriorityLevelSpec level, Flow flow) {}

  FlowControlConfig {
    flows = List.copyOf(flows);
  }

  /// Reads the objects, and has the dispatcher go by them.
  static FlowControlConfig of(FlowControl.Source source, SeatDispatcher dispatcher) {
    // Before the objects: what changes meanwhile is read again.
    long version = source.version();
    Map<String, PriorityLevelSpec> specs = new LinkedHashMap<>();
    withMandatory(source.levels(), FlowControlDefaults.levels())
        .forEach((name, object) -> specs.put(name, PriorityLevelSpec.of(object)));
    Map<String, PriorityLevel> levels = dispatcher.configure(specs.values());
    List<FlowSchema> schemas = new ArrayList<>();
    for (ObjectNode object :
        withMandatory(source.schemas(), FlowControlDefaults.schemas()).values()) {
      schemas.add(FlowSchema.of(object));
    }
    schemas.sort(comparingLong(FlowSchema::precedence).thenComparing(comparing(FlowSchema::name)));
    List<ClassifiedFlow> flows = new ArrayList<>();
    ClassifiedFlow last = null;
    for (FlowSchema schema : schemas) {
      PriorityLevel level = levels.get(schema.level());
      PriorityLevelSpec spec = specs.get(schema.level());
      if (level != null && spec != null) {
        ClassifiedFlow flow =
            new ClassifiedFlow(schema, spec, dispatcher.flow(schema.name(), level));
        flows.add(flow);
        if (schema.name().equals(FlowControlDefaults.CATCH_ALL)) {
          last = flow;
        }
      }
    }
    if (last == null) {
      throw new IllegalStateException(
          "the schema " + FlowControlDefaults.CATCH_ALL + " is missing");
    }
    flows.add(last);
    return new FlowControlConfig(version, flows);
  }

  private static Map<String, ObjectNode> withMandatory(
      List<ObjectNode> objects, List<ObjectNode> defaults) {
    Map<String, ObjectNode> all = new LinkedHashMap<>();
    for (ObjectNode object : defaults) {
      String name = FlowControlDefaults.name(object);
      if (FlowControlDefaults.isMandatory(name)) {
        all.put(name, object);
      }
    }
    objects.forEach(object -> all.put(FlowControlDefaults.name(object), object));
    return all;
  }

  ClassifiedFlow classify(RequestInfo info, UserInfo user) {
    for (ClassifiedFlow flow : flows) {
      if (flow.schema().matches(info, user)) {
        return flow;
      }
    }
    return flows.getLast();
  }
}
