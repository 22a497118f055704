import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import com.dashjoin.jsonata.json.Json;
import com.dashjoin.jsonata.json.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Evaluates JSONata with com.dashjoin:jsonata. Each line of its input is a JSON document
 * {expression, functions, scopes}: for each scope, an object of variables, it prints {value}, {} for nothing, or
 * {error}; all answers of a line as one list.
 */
class Evaluator {
  public static void main(String[] arguments) throws Exception {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(answersTo((Map<?, ?>) Json.parseJson(line)));
    }
    out.flush();
  }

  static String answersTo(Map<?, ?> request) {
    var source = (String) request.get("expression");
    var constants = (Map<?, ?>) request.get("functions");
    var answers = new ArrayList<String>();
    Jsonata compiled = null;
    JException problem = null;
    try {
      // In an object, null is told from nothing.
      compiled = Jsonata.jsonata("{'value': (" + source + ")}");
    } catch (JException exception) {
      problem = exception;
    }
    for (Object scope : (List<?>) request.get("scopes")) {
      answers.add(problem == null ? answer(compiled, constants, (Map<?, ?>) scope) : failed(problem));
    }
    return "[" + String.join(",", answers) + "]";
  }

  static String answer(Jsonata compiled, Map<?, ?> constants, Map<?, ?> scope) {
    try {
      var frame = compiled.createFrame();
      scope.forEach((name, value) -> frame.bind((String) name, value));
      constants.forEach((name, value) ->
          frame.bind((String) name, new Jsonata.JFunction((input, given) -> value, "<:x>")));
      frame.bind("hash", new Jsonata.JFunction((input, given) -> hash((String) given.get(0)), "<s-s?:s>"));
      frame.bind("parse", new Jsonata.JFunction((input, given) -> parsed((String) given.get(0)), "<s-:x>"));
      return written(compiled.evaluate(null, frame));
    } catch (Throwable problem) {
      return failed(problem);
    }
  }

  /** As Json.parseJson, which gives the number before, and prints a trace, for one that no double holds. */
  static Object parsed(String text) {
    var handler = new Json._JsonHandler() {
      @Override
      public void endNumber(String digits) {
        double number = Double.parseDouble(digits);
        if (Double.isInfinite(number)) value = number;
        else super.endNumber(digits);
      }
    };
    new JsonParser(handler).parse(text);
    return handler.getValue();
  }

  static String failed(Throwable problem) {
    return "{\"error\":" + written(String.valueOf(problem)) + "}";
  }

  /** As the service hashes: UTF-8, where half a surrogate pair is written as a question mark. */
  static String hash(String text) throws Exception {
    var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    var hexadecimal = new StringBuilder();
    for (byte one : digest) hexadecimal.append(String.format("%02x", one));
    return hexadecimal.toString();
  }

  static String written(Object value) {
    if (value == null || value == Jsonata.NULL_VALUE) return "null";
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream()
          .map(member -> quoted(member.getKey().toString()) + ":" + written(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> items) {
      return items.stream().map(Evaluator::written).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Number || value instanceof Boolean) return value.toString();
    return quoted(value.toString());
  }

  static String quoted(String text) {
    return text.chars()
        .mapToObj(unit -> unit < 32 || unit > 126 || unit == '"' || unit == '\\'
            ? String.format("\\u%04x", unit) : String.valueOf((char) unit))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
