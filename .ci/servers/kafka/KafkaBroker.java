import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * A Kafka broker, alone and its own controller, on free ports of the loopback until the process whose number it is given
 * ends. Keeps everything in the folder that it is given next: started there again, it is the same broker at the same
 * place. Prints three lines once it serves: its address, the address that wants TLS and a password, and the certificate
 * of the latter.
 */
class KafkaBroker {
  private static final String USER = "pfq";
  /** Spelled so that an address has to escape it. */
  private static final String PASSWORD = "p@ss:w/rd %";

  public static void main(String[] arguments) throws Exception {
    var owner = ProcessHandle.of(Long.parseLong(arguments[0]));
    if (owner.isEmpty()) return;
    owner.get().onExit().thenRun(() -> Runtime.getRuntime().halt(0));
    var folder = Path.of(arguments[1]);
    var settings = folder.resolve("server.properties");
    if (!Files.exists(settings)) prepare(folder, settings);
    var properties = new Properties();
    try (var text = Files.newBufferedReader(settings)) {
      properties.load(text);
    }
    new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM).startup();
    for (var line : new String[] {"plain.address", "secured.address", "secured.certificate"}) {
      System.out.println(properties.getProperty(line));
    }
  }

  private static void prepare(Path folder, Path settings) throws Exception {
    makeCertificate(folder);
    int[] ports = findFreePorts(3);
    var properties = new Properties();
    properties.put("plain.address", "127.0.0.1:" + ports[0]);
    properties.put("secured.address", "127.0.0.1:" + ports[1]);
    properties.put("secured.certificate", folder.resolve("certificate.pem").toString());
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "1");
    properties.put("log.dirs", folder.resolve("log").toString());
    properties.put("controller.quorum.voters", "1@127.0.0.1:" + ports[2]);
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("inter.broker.listener.name", "PLAIN");
    properties.put("listener.security.protocol.map", "PLAIN:PLAINTEXT,SECURED:SASL_SSL,CONTROLLER:PLAINTEXT");
    properties.put(
        "listeners",
        "PLAIN://127.0.0.1:%d,SECURED://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(ports[0], ports[1], ports[2]));
    // There is nobody to copy to, and nothing here outlives a test.
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    // A service that writes to a topic which nobody made is to fail here as it does in production.
    properties.put("auto.create.topics.enable", "false");
    // Tests wait for neither members that may yet come nor for long for those that were killed.
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("group.min.session.timeout.ms", "1000");
    secure(properties, folder);
    try (var text = Files.newBufferedWriter(settings)) {
      properties.store(text, null);
    }
    format(settings);
  }

  private static void secure(Properties properties, Path folder) {
    properties.put("ssl.keystore.location", folder.resolve("keys.p12").toString());
    properties.put("ssl.keystore.password", "for-tests");
    properties.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512");
    properties.put(
        "listener.name.secured.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";".formatted(USER, PASSWORD));
    for (var mechanism : new String[] {"scram-sha-256", "scram-sha-512"}) {
      properties.put(
          "listener.name.secured.%s.sasl.jaas.config".formatted(mechanism),
          "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    }
  }

  private static void format(Path settings) {
    var credential = "=[name=%s,password=%s]".formatted(USER, PASSWORD);
    String[] arguments = {
      "format", "--config", settings.toString(), "--cluster-id", Uuid.randomUuid().toString(),
      "--add-scram", "SCRAM-SHA-256" + credential, "--add-scram", "SCRAM-SHA-512" + credential,
    };
    if (StorageTool.execute(arguments, System.err) != 0) throw new IllegalStateException("the storage cannot be formatted");
  }

  /** The key pair and its certificate, by the tool that comes with Java. */
  private static void makeCertificate(Path folder) throws IOException, InterruptedException {
    keytool(
        folder, "-genkeypair", "-keyalg", "EC", "-dname", "CN=kafka", "-ext", "san=ip:127.0.0.1,dns:localhost");
    keytool(folder, "-exportcert", "-rfc", "-file", folder.resolve("certificate.pem").toString());
  }

  private static void keytool(Path folder, String... action) throws IOException, InterruptedException {
    var command = new java.util.ArrayList<>(java.util.List.of(action));
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(java.util.List.of("-alias", "kafka", "-storepass", "for-tests"));
    command.addAll(java.util.List.of("-keystore", folder.resolve("keys.p12").toString()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) throw new IllegalStateException("keytool: " + said);
  }

  private static int[] findFreePorts(int count) throws IOException {
    var ports = new int[count];
    var sockets = new ServerSocket[count];
    for (int i = 0; i < count; i++) {
      sockets[i] = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      ports[i] = sockets[i].getLocalPort();
    }
    for (var socket : sockets) socket.close();
    return ports;
  }
}
