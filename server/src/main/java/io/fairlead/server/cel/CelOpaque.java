package io.fairlead.server.cel;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.schema.Quantity;
import java.net.URI;

/// Values of the types that Kubernetes adds.
sealed interface CelOpaque {
  /// What CEL calls the type.
  String typeName();

  record Url(URI uri) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.URL";
    }
  }

  /// An amount such as `1Gi`.
  record Amount(Quantity value) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.Quantity";
    }
  }

  record Ip(IpAddress address) implements CelOpaque {
    @Override
    public String typeName() {
      return "net.IP";
    }
  }

  record Block(Cidr cidr) implements CelOpaque {
    @Override
    public String typeName() {
      return "net.CIDR";
    }
  }

  record Version(SemanticVersion version) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.Semver";
    }
  }

  /// A named format of texts.
  record TextFormat(String name) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.NamedFormat";
    }
  }

  /// A user, of whom expressions ask what they may do.
  record Subject(CelAuthorizer authorizer) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.authorization.Authorizer";
    }
  }

  record PathCheck(CelAuthorizer authorizer, String path) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.authorization.PathCheck";
    }
  }

  record GroupCheck(CelAuthorizer authorizer, String group) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.authorization.GroupCheck";
    }
  }

  record ResourceCheck(CelAuthorizer authorizer, CelAuthorizer.Target target) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.authorization.ResourceCheck";
    }
  }

  record Decision(CelAuthorizer.Answer answer) implements CelOpaque {
    @Override
    public String typeName() {
      return "kubernetes.authorization.Decision";
    }
  }
}
