package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.STRING;

import io.fairlead.server.cel.CelAuthorizer.Target;
import java.util.List;

/// Questions about permissions: `authorizer.group("apps").resource("deployments").check("get")`.
final class AuthorizationFunctions {
  private static final CelType PATH = CelType.opaque("kubernetes.authorization.PathCheck");
  private static final CelType GROUP = CelType.opaque("kubernetes.authorization.GroupCheck");
  private static final CelType DECISION = CelType.opaque("kubernetes.authorization.Decision");

  private AuthorizationFunctions() {}

  static void addTo(CelFunctions all) {
    subjects(all);
    resources(all);
    all.method(
        "allowed",
        BOOL,
        List.of(DECISION),
        one -> ((CelOpaque.Decision) one.get(0)).answer().allowed());
    all.method(
        "reason",
        STRING,
        List.of(DECISION),
        one -> ((CelOpaque.Decision) one.get(0)).answer().reason());
    // A question always has an answer here.
    all.method("errored", BOOL, List.of(DECISION), _ -> false);
    all.method("error", STRING, List.of(DECISION), _ -> "");
  }

  private static void subjects(CelFunctions all) {
    List<CelType> both = List.of(CelType.AUTHORIZER, STRING);
    all.method("path", PATH, both, of -> new CelOpaque.PathCheck(subject(of), text(of, 1)));
    all.method("group", GROUP, both, of -> new CelOpaque.GroupCheck(subject(of), text(of, 1)));
    all.method(
        "serviceAccount",
        CelType.AUTHORIZER,
        List.of(CelType.AUTHORIZER, STRING, STRING),
        of -> new CelOpaque.Subject(subject(of).of(text(of, 1), text(of, 2))));
    all.method(
        "check",
        DECISION,
        List.of(PATH, STRING),
        of -> {
          CelOpaque.PathCheck check = (CelOpaque.PathCheck) of.get(0);
          return new CelOpaque.Decision(check.authorizer().path(check.path(), text(of, 1)));
        });
  }

  private static void resources(CelFunctions all) {
    all.method(
        "resource",
        CelType.RESOURCE_CHECK,
        List.of(GROUP, STRING),
        of -> {
          CelOpaque.GroupCheck check = (CelOpaque.GroupCheck) of.get(0);
          return new CelOpaque.ResourceCheck(
              check.authorizer(), new Target(check.group(), text(of, 1), "", "", ""));
        });
    narrowed(
        all,
        "subresource",
        (at, text) -> new Target(at.group(), at.resource(), text, at.namespace(), at.name()));
    narrowed(
        all,
        "namespace",
        (at, text) -> new Target(at.group(), at.resource(), at.subresource(), text, at.name()));
    narrowed(
        all,
        "name",
        (at, text) ->
            new Target(at.group(), at.resource(), at.subresource(), at.namespace(), text));
    all.method(
        "check",
        DECISION,
        List.of(CelType.RESOURCE_CHECK, STRING),
        of -> {
          CelOpaque.ResourceCheck check = (CelOpaque.ResourceCheck) of.get(0);
          return new CelOpaque.Decision(check.authorizer().resource(check.target(), text(of, 1)));
        });
  }

  private interface Narrowing {
    Target apply(Target target, String text);
  }

  private static void narrowed(CelFunctions all, String name, Narrowing narrowing) {
    all.method(
        name,
        CelType.RESOURCE_CHECK,
        List.of(CelType.RESOURCE_CHECK, STRING),
        of -> {
          CelOpaque.ResourceCheck check = (CelOpaque.ResourceCheck) of.get(0);
          return new CelOpaque.ResourceCheck(
              check.authorizer(), narrowing.apply(check.target(), text(of, 1)));
        });
  }

  private static CelAuthorizer subject(List<Object> arguments) {
    return ((CelOpaque.Subject) arguments.get(0)).authorizer();
  }

  private static String text(List<Object> arguments, int at) {
    return (String) arguments.get(at);
  }
}
