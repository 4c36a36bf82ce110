package io.fairlead.http.status;

/// A request for a status page.
///
/// @param method `GET`, for instance
/// @param path without the query
/// @param query as it came, empty when there is none
/// @param ipv4 whether it came to an IPv4 address
/// @param token of the sender, from a header `Authorization: Bearer`; empty when there is none
public record StatusRequest(String method, String path, String query, boolean ipv4, String token) {}
