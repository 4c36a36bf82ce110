/// Role-based access control: who may do what, by roles and bindings.
///
/// A role is a list of rules; a binding gives a role to users, groups or service accounts, in one
/// namespace or everywhere. Rules only allow, so the order never matters: a user may do what any of
/// their rules allows, and nothing else.
@NullMarked
package io.fairlead.server.auth.rbac;

import org.jspecify.annotations.NullMarked;
