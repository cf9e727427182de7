import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    // During a rotation: both, with a space between.
    static final String[] SECRETS = System.getenv("LADING_CALLBACK_SECRET").split(" ");
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet(); // In production, use a column with a unique index.
    static final PrintStream OUT = new PrintStream(System.out, true, UTF_8);

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 9090), 0);
        server.createContext("/", Receiver::receive);
        server.start();
    }

    static void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        boolean genuine = isGenuine(exchange.getRequestHeaders(), body);
        // The header is the event_id, and it is signed. Read the body with the JSON library of your project.
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        if (genuine && !SEEN.contains(id)) {
            OUT.println(id + " " + new String(body, UTF_8)); // Store it here.
            SEEN.add(id);
        }
        if (!genuine) System.err.println("rejected: not signed recently with LADING_CALLBACK_SECRET");
        exchange.sendResponseHeaders(genuine ? 200 : 400, -1);
        exchange.close();
    }

    static boolean isGenuine(Headers headers, byte[] body) {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes((id + "." + timestamp + ".").getBytes(UTF_8));
        message.writeBytes(body);
        for (String secret : SECRETS) {
            byte[] expected = ("v1," + sign(secret, message.toByteArray())).getBytes(UTF_8);
            for (String given : signatures.split(" ")) {
                if (MessageDigest.isEqual(expected, given.getBytes(UTF_8))) return true;
            }
        }
        return false;
    }

    static String sign(String secret, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(message));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
