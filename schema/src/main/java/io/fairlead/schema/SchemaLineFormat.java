package io.fairlead.schema;

/// How the resource is written: tab-separated lines, a struct first, then its fields.
///
/// ```
/// S  io.k8s.api.core.v1.ServicePort  ServicePort contains information on …
/// F  port  int32  3  r  The port that will be exposed …
/// F  targetPort  intOrString  4    Number or name …
/// I  volumeSource  @io.k8s.api.core.v1.VolumeSource  2
/// ```
///
/// A type is a scalar's name, `@` and a struct, `[]` and a type, or `{}` and a type. `I` is a
/// message that protobuf nests and JSON flattens. `r` marks a required field. Number 0 means that
/// the field has no protobuf number in this message. Backslash escapes itself, tab and newline.
final class SchemaLineFormat {
  private SchemaLineFormat() {}

  static void struct(StringBuilder out, String name, String description) {
    out.append("S\t").append(name).append('\t').append(escaped(description)).append('\n');
  }

  static void field(
      StringBuilder out,
      String name,
      String type,
      int number,
      boolean required,
      String description) {
    out.append("F\t").append(name).append('\t').append(type).append('\t').append(number);
    out.append('\t').append(required ? "r" : "").append('\t');
    out.append(escaped(description)).append('\n');
  }

  static void inlined(StringBuilder out, String name, String type, int number) {
    out.append("I\t").append(name).append('\t').append(type).append('\t').append(number);
    out.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "");
  }
}
