package io.fairlead.server.render;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.ResponseFormat.Encoding;
import io.fairlead.server.render.ResponseFormat.Shape;
import io.fairlead.server.request.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Agrees with the client on a [ResponseFormat] (spec 1.7): the Accept clauses are walked by
/// quality, then in order, and the first one that can be served wins.
public final class Negotiation {
  private static final String OFFERED =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final String STREAMS =
      ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
  private static final List<String> BROWSERS = List.of("curl/", "Wget/", "Mozilla/");

  private Negotiation() {}

  /// What is being asked for, which decides the views that make sense.
  public enum RequestScope {
    ITEM,
    LIST,
    WATCH
  }

  /// The format of an object, list or stream.
  ///
  /// @param schemaName the struct of the kind, for protobuf
  /// @param protobuf whether the kind has a protobuf form
  /// @throws ApiException 406 when nothing fits
  public static ResponseFormat choose(
      HttpServerExchange exchange, RequestScope subject, String schemaName, boolean protobuf) {
    List<MediaType> clauses = MediaType.accepted(exchange.headers("Accept"));
    boolean known = false;
    for (MediaType clause : clauses) {
      Encoding encoding = encoding(clause.type());
      if (encoding == null || (encoding == Encoding.PROTOBUF && !protobuf)) {
        continue;
      }
      known = true;
      if (encoding == Encoding.PROTOBUF && exchange.wantsWebSocket()) {
        continue; // Messages of a WebSocket watch are text.
      }
      if (encoding == Encoding.YAML && subject == RequestScope.WATCH) {
        continue;
      }
      ResponseFormat format = shaped(clause, encoding, subject, pretty(exchange), schemaName);
      if (format != null) {
        return format;
      }
    }
    throw known ? notAcceptable() : unknownTypes(subject);
  }

  /// The format of a Status, for a client whose wishes may be impossible: JSON then.
  public static ResponseFormat forErrors(HttpServerExchange exchange) {
    return plain(exchange, true);
  }

  /// The format of a document that is no object, such as the version: JSON or YAML.
  public static ResponseFormat forDocuments(HttpServerExchange exchange) {
    return plain(exchange, false);
  }

  private static ResponseFormat plain(HttpServerExchange exchange, boolean protobuf) {
    Encoding chosen = Encoding.JSON;
    for (MediaType clause : MediaType.accepted(exchange.headers("Accept"))) {
      Encoding encoding = encoding(clause.type());
      if (encoding != null && (protobuf || encoding != Encoding.PROTOBUF)) {
        chosen = encoding;
        break;
      }
    }
    return new ResponseFormat(
        chosen, Shape.OBJECT, "v1", pretty(exchange), ProtobufResponseEncoder.STATUS);
  }

  private static @Nullable Encoding encoding(String type) {
    return switch (type) {
      case "application/json", "*/*", "application/*" -> Encoding.JSON;
      case "application/yaml" -> Encoding.YAML;
      case "application/vnd.kubernetes.protobuf" -> Encoding.PROTOBUF;
      default -> null;
    };
  }

  private static @Nullable ResponseFormat shaped(
      MediaType clause,
      Encoding encoding,
      RequestScope subject,
      boolean pretty,
      String schemaName) {
    String as = clause.parameter("as");
    if (as.isEmpty()) {
      return new ResponseFormat(encoding, Shape.OBJECT, "v1", pretty, schemaName);
    }
    String version = clause.parameter("v");
    boolean meta =
        clause.parameter("g").equals("meta.k8s.io")
            && (version.equals("v1") || version.equals("v1beta1"));
    if (!meta) {
      return null;
    }
    return switch (as) {
      // Tables have no protobuf form; the next clause may have one.
      case "Table" ->
          encoding == Encoding.PROTOBUF
              ? null
              : new ResponseFormat(encoding, Shape.TABLE, version, pretty, schemaName);
      case "PartialObjectMetadata" -> {
        if (subject == RequestScope.LIST) {
          throw notAcceptable(
              "you requested PartialObjectMetadata, but the requested object is a list "
                  + goType(schemaName, "List"));
        }
        yield new ResponseFormat(encoding, Shape.PARTIAL, version, pretty, schemaName);
      }
      case "PartialObjectMetadataList" -> {
        if (subject != RequestScope.LIST) {
          throw notAcceptable(
              "you requested PartialObjectMetadataList, but the requested object is not a list "
                  + goType(schemaName, ""));
        }
        yield new ResponseFormat(encoding, Shape.PARTIAL_LIST, version, pretty, schemaName);
      }
      default -> null;
    };
  }

  /// What Go calls a kind or its list: `(*core.ConfigMapList)`.
  private static String goType(String schemaName, String suffix) {
    String[] parts = schemaName.split("\\.", -1);
    return "(*" + parts[parts.length - 3] + "." + parts[parts.length - 1] + suffix + ")";
  }

  private static boolean pretty(HttpServerExchange exchange) {
    if (exchange.query().has("pretty")) {
      return exchange.query().isOn("pretty");
    }
    String agent = exchange.header("User-Agent");
    return agent != null && BROWSERS.stream().anyMatch(agent::startsWith);
  }

  /// The 406 of a view that the requested kind does not have.
  public static ApiException notAcceptable() {
    return notAcceptable("only the following media types are accepted: " + OFFERED);
  }

  private static ApiException notAcceptable(String message) {
    return new ApiException(Status.of(406, "NotAcceptable", message));
  }

  private static ApiException unknownTypes(RequestScope subject) {
    return new ApiException(
        Status.of(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: "
                    + (subject == RequestScope.ITEM ? OFFERED : OFFERED + STREAMS))
            .withDetails(Details.EMPTY));
  }
}
