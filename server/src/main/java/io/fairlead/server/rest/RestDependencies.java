package io.fairlead.server.rest;

import io.fairlead.server.ApiServerConfig.Limits;
import io.fairlead.server.admission.policy.MutatingPolicyAdmission;
import io.fairlead.server.admission.policy.PolicyAdmission;
import io.fairlead.server.admission.webhook.WebhookAdmission;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Store;
import io.fairlead.store.Write;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/// What every request stands on. Made once per server.
public record RestDependencies(
    Store store,
    Caches caches,
    ResourceRegistry registry,
    Authenticator authenticator,
    Authorizer authorizer,
    TokenIssuer tokens,
    CertificateSigner signer,
    InstantSource clock,
    RandomGenerator random,
    int emulatedMinor,
    Limits limits,
    boolean warnsOfUnserved,
    SpecRecorder specs,
    WebhookAdmission webhooks,
    MutatingPolicyAdmission mutatingPolicies,
    PolicyAdmission policies) {

  /// Commits what a client asked for of that kind. When writes of others depend on it, it is in the
  /// caches afterwards.
  CommitResult commit(Resource resource, List<Write> writes) {
    CommitResult result = commit(writes);
    if (resource.governsWrites() && result instanceof CommitResult.Committed(long revision)) {
      caches.awaitRevision(revision, Caches.FRESHNESS);
    }
    return result;
  }

  /// Commits what a client asked for. Whatever works on a request after that sees it in the caches.
  CommitResult commit(List<Write> writes) {
    CommitResult result = store.commit(writes);
    if (result instanceof CommitResult.Committed(long revision)) {
      caches.acknowledged(writes, revision);
    }
    return result;
  }
}
