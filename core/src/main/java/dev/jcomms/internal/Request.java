package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;

/**
 * An operation that was checked, and the backend it goes to.
 *
 * @param options with a timeout
 */
record Request(Routes.Route route, Collective op, OpOptions options) {}
