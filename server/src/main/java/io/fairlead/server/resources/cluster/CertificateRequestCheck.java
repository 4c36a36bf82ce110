package io.fairlead.server.resources.cluster;

import io.fairlead.server.resources.kind.Problems;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.JsonNode;

/// Whether a request for a certificate can be read: PKCS #10 as PEM.
final class CertificateRequestCheck {
  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String END = "-----END CERTIFICATE REQUEST-----";

  private CertificateRequestCheck() {}

  static void check(JsonNode request, Problems problems) {
    String text;
    try {
      text =
          new String(Base64.getDecoder().decode(request.asString("")), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException _) {
      text = "";
    }
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      problems.invalid("spec.request", request, "PEM block type must be CERTIFICATE REQUEST");
    }
  }
}
