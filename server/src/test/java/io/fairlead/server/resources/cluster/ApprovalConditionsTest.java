package io.fairlead.server.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who may write the status of a request may not approve it.
class ApprovalConditionsTest {
  private record Row(String name, String before, String now, boolean approval, String refused) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("approved by who may", "", "Approved", true, ""),
        new Row("approved through the status", "", "Approved", false, "may not add"),
        new Row("denied through the status", "", "Denied", false, "may not add"),
        new Row("a signer that failed says so", "Approved", "Approved Failed", false, ""),
        new Row("an approval stays", "Approved", "Approved", false, ""),
        new Row("a denial cannot be taken back", "Denied", "", true, "may not remove"),
        new Row("nor made an approval", "Denied", "Approved", true, "may not remove"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isDecidedOnceAndByWhoMay(Row row) {
    var problems =
        CertificateSigningRequestResource.conditionProblems(
            with(row.now), with(row.before), row.approval);
    if (row.refused.isEmpty()) {
      assertThat(problems).isEmpty();
    } else {
      assertThat(problems.toString()).contains(row.refused);
    }
  }

  private static ObjectNode with(String types) {
    ObjectNode object = Json.object();
    ArrayNode conditions = object.putObject("status").putArray("conditions");
    Stream.of(types.split(" "))
        .filter(type -> !type.isEmpty())
        .forEach(type -> conditions.addObject().put("type", type).put("status", "True"));
    return object;
  }
}
