import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small reader of JSON: enough for what a match host writes. */
final class Json {
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    static Json parse(String text) {
        return new Reader(text).value();
    }

    /** The value of a key; an error where there is none. */
    Json get(String key) {
        Json found = ((Map<?, ?>) value).get(key) instanceof Json json ? json : null;
        if (found == null) {
            throw new IllegalArgumentException("there is no key " + key);
        }
        return found;
    }

    @SuppressWarnings("unchecked")
    List<Json> items() {
        return (List<Json>) value;
    }

    int[] numbers() {
        return items().stream().mapToInt(Json::number).toArray();
    }

    int number() {
        return ((Double) value).intValue();
    }

    String text() {
        return (String) value;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Json value() {
            skip();
            char sign = text.charAt(at);
            return switch (sign) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> new Json(string());
                case 't', 'f', 'n' -> word();
                default -> number();
            };
        }

        private Json object() {
            Map<String, Json> found = new HashMap<>();
            at++;
            while (!closes('}')) {
                String key = string();
                skip();
                at++; // the colon
                found.put(key, value());
            }
            return new Json(found);
        }

        private Json array() {
            List<Json> found = new ArrayList<>();
            at++;
            while (!closes(']')) {
                found.add(value());
            }
            return new Json(found);
        }

        /** Skip a comma; say whether the bracket closes here. */
        private boolean closes(char bracket) {
            skip();
            if (text.charAt(at) == ',') {
                at++;
                skip();
            }
            if (text.charAt(at) != bracket) {
                return false;
            }
            at++;
            return true;
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char sign = text.charAt(at);
                if (sign == '\\') {
                    sign = escaped(text.charAt(++at));
                }
                found.append(sign);
            }
            at++;
            return found.toString();
        }

        private char escaped(char sign) {
            if (sign == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            int known = "bfnrt".indexOf(sign);
            return known < 0 ? sign : "\b\f\n\r\t".charAt(known);
        }

        private Json number() {
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return new Json(Double.valueOf(text.substring(from, at)));
        }

        private Json word() {
            int from = at;
            while (at < text.length() && Character.isLetter(text.charAt(at))) {
                at++;
            }
            String found = text.substring(from, at);
            return new Json(found.equals("null") ? "" : Boolean.valueOf(found));
        }

        private void skip() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
    }
}
