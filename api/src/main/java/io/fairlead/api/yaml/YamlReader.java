package io.fairlead.api.yaml;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns parser events into a tree.
///
/// How it works: the engine gives events without meaning (a scalar is text), so nothing is
/// constructed but JSON. An alias is a copy of what its anchor held; the number of nodes made by
/// copying is limited, so a short document cannot grow into gigabytes.
final class YamlReader {
  /// Largest text, in characters.
  private static final int MAX_CHARACTERS = 4 << 20;

  /// Nodes that aliases may add in one document.
  private static final int MAX_COPIED_NODES = 50_000;

  private static final int MAX_DUPLICATES = 100;

  private static final Set<String> COLLECTION_TAGS =
      Set.of("", "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq");

  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setLabel("body").setCodePointLimit(MAX_CHARACTERS).build();

  private final Iterator<Event> events;
  private final Map<Anchor, JsonNode> anchors = new HashMap<>();
  private final List<String> duplicates = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final StringBuilder path = new StringBuilder();
  private int depth;
  private int copied;

  private YamlReader(Iterator<Event> events) {
    this.events = events;
  }

  static Yaml.Parsed read(String text) {
    StreamReader reader = new StreamReader(SETTINGS, text);
    try {
      return new YamlReader(new ParserImpl(SETTINGS, reader)).document();
    } catch (MarkedYamlEngineException e) {
      String where = e.getProblemMark().map(YamlReader::where).orElse("");
      throw new DecodeException("invalid YAML: " + problem(e.getProblem()) + where);
    } catch (YamlEngineException e) {
      throw new DecodeException("invalid YAML: " + problem(e.getMessage()));
    } catch (NumberFormatException e) {
      // The engine reads the digits of an escape before it looks whether they are a character.
      String where = reader.getMark().map(YamlReader::where).orElse("");
      throw new DecodeException("invalid YAML: an escape names no character" + where);
    }
  }

  private Yaml.Parsed document() {
    events.next(); // the start of the stream
    if (!is(events.next(), Event.ID.DocumentStart)) {
      return new Yaml.Parsed(YamlScalars.NULL, List.of(), List.of());
    }
    JsonNode value = node(events.next());
    events.next(); // the end of the document
    if (is(events.next(), Event.ID.DocumentStart)) {
      throw new DecodeException("invalid YAML: more than one document, send them one by one");
    }
    return new Yaml.Parsed(value, List.copyOf(duplicates), List.copyOf(lines));
  }

  private JsonNode node(Event event) {
    if (event instanceof AliasEvent alias) {
      return copy(alias);
    }
    if (!(event instanceof NodeEvent start)) {
      throw new DecodeException("invalid YAML: a value is missing" + where(event));
    }
    JsonNode value =
        switch (start) {
          case ScalarEvent scalar -> scalar(scalar);
          case MappingStartEvent mapping -> mapping(mapping);
          default -> sequence(start);
        };
    start.getAnchor().ifPresent(anchor -> anchors.put(anchor, value));
    return value;
  }

  private JsonNode scalar(ScalarEvent event) {
    String tag = event.getTag().orElse("");
    if (tag.isEmpty()) {
      return event.isPlain() ? YamlScalars.resolve(event.getValue()) : text(event);
    }
    return YamlScalars.tagged(tag, event.getValue());
  }

  private ArrayNode sequence(Event start) {
    enter(start);
    ArrayNode list = Json.array();
    int before = path.length();
    for (Event next = events.next(); !is(next, Event.ID.SequenceEnd); next = events.next()) {
      path.append('[').append(list.size()).append(']');
      list.add(node(next));
      path.setLength(before);
    }
    depth--;
    return list;
  }

  private ObjectNode mapping(MappingStartEvent start) {
    enter(start);
    ObjectNode object = Json.object();
    List<JsonNode> merged = new ArrayList<>();
    int before = path.length();
    for (Event next = events.next(); !is(next, Event.ID.MappingEnd); next = events.next()) {
      if (next instanceof ScalarEvent key && key.isPlain() && key.getValue().equals("<<")) {
        merged.add(node(events.next()));
        continue;
      }
      String name = key(next);
      path.append(before == 0 ? "" : ".").append(name);
      if (object.replace(name, node(events.next())) != null && duplicates.size() < MAX_DUPLICATES) {
        duplicates.add(path.toString());
        int line = next.getStartMark().map(Mark::getLine).orElse(0) + 1;
        lines.add("line " + line + ": key \"" + name + "\" already set in map");
      }
      path.setLength(before);
    }
    depth--;
    merged.forEach(value -> merge(object, value));
    return object;
  }

  /// `<<: *base` adds what the object does not say itself.
  private static void merge(ObjectNode object, JsonNode value) {
    if (value instanceof ObjectNode base) {
      base.properties().forEach(entry -> object.putIfAbsent(entry.getKey(), entry.getValue()));
    } else if (value instanceof ArrayNode list && !list.isEmpty()) {
      for (JsonNode base : list) {
        if (!base.isObject()) {
          throw new DecodeException("invalid YAML: `<<` needs a mapping or a list of mappings");
        }
        merge(object, base);
      }
    } else {
      throw new DecodeException("invalid YAML: `<<` needs a mapping or a list of mappings");
    }
  }

  private String key(Event event) {
    JsonNode key = node(event);
    if (key.isString() || key.isNumber() || key.isBoolean()) {
      return key.asString();
    }
    throw new DecodeException("invalid YAML: a key must be text" + where(event));
  }

  private JsonNode copy(AliasEvent alias) {
    JsonNode value = anchors.get(alias.getAlias());
    if (value == null) {
      throw new DecodeException(
          "invalid YAML: alias *" + alias.getAlias().getValue() + " has no anchor" + where(alias));
    }
    copied += count(value, MAX_COPIED_NODES + 1 - copied);
    if (copied > MAX_COPIED_NODES) {
      throw new DecodeException("invalid YAML: the aliases expand to too much data");
    }
    int deepest = depth + depthOf(value);
    if (deepest > Json.MAX_DEPTH) {
      throw new DecodeException("invalid YAML: nested deeper than " + Json.MAX_DEPTH);
    }
    return value.deepCopy();
  }

  private static int count(JsonNode value, int limit) {
    int nodes = 1;
    for (JsonNode child : value.values()) {
      if (nodes >= limit) {
        return nodes;
      }
      nodes += count(child, limit - nodes);
    }
    return nodes;
  }

  private static int depthOf(JsonNode value) {
    int below = 0;
    for (JsonNode child : value.values()) {
      below = Math.max(below, depthOf(child));
    }
    return value.isContainer() ? below + 1 : 0;
  }

  private void enter(Event start) {
    if (start instanceof CollectionStartEvent collection) {
      String tag = collection.getTag().orElse("");
      if (!COLLECTION_TAGS.contains(tag)) {
        throw new DecodeException("invalid YAML: tag " + tag + " is not supported" + where(start));
      }
    }
    if (++depth > Json.MAX_DEPTH) {
      throw new DecodeException("invalid YAML: nested deeper than " + Json.MAX_DEPTH);
    }
  }

  private static JsonNode text(ScalarEvent event) {
    return YamlScalars.text(event.getValue());
  }

  private static boolean is(Event event, Event.ID id) {
    return event.getEventId() == id;
  }

  private static String where(Event event) {
    return event.getStartMark().map(YamlReader::where).orElse("");
  }

  private static String where(Mark mark) {
    return " (line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ")";
  }

  private static String problem(@org.jspecify.annotations.Nullable String text) {
    if (text == null) {
      return "not understood";
    }
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
