import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/**
 * A server of MongoDB's protocol that keeps everything in memory: on a free port of the loopback, whose address it
 * prints, and until the process whose number it is given ends.
 */
class InMemoryMongo {
  public static void main(String[] arguments) {
    var owner = ProcessHandle.of(Long.parseLong(arguments[0]));
    if (owner.isEmpty()) return;
    var backend = new MemoryBackend();
    backend.version(new Version());
    var server = new MongoServer(backend);
    System.out.println(server.bindAndGetConnectionString());
    owner.get().onExit().join();
    server.shutdownNow();
  }

  /**
   * The driver speaks to MongoDB 4.4 and newer. The server answers all that the tests ask, and would say it is older:
   * what 4.4 added is not asked for.
   */
  static class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }
}
