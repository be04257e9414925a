package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who serves a port channel of a rank. It does what it is asked in the order in which it is asked,
 * and that order is known only among the requests of one block, and of blocks that know of each
 * other's. So there is an actor for each block that asks.
 */
final class Proxy {
  private record Done(Touch request, Stamp after) {}

  private final Map<Integer, Actor> actors = new HashMap<>();
  private final List<Done> requests = new ArrayList<>();

  void add(int block, Actor actor) {
    actors.put(block, actor);
  }

  Iterable<Actor> actors() {
    return actors.values();
  }

  /** The actor that will do what the block asks for now. */
  Actor ask(int block, Actor asker, Place place) {
    Actor actor = actors.get(block);
    actor.learn(asker.ordered(place));
    for (Done done : requests) {
      if (done.request().actor() != asker && asker.isAfter(done.request())) {
        actor.learn(done.after());
      }
    }
    return actor;
  }

  /** The request is done; later ones come after it. */
  void done(Actor actor, Actor asker, Place place) {
    if (actors.size() > 1) {
      requests.add(new Done(Touch.of(asker, place, "", 0), actor.ordered(place)));
    }
  }
}
