// A small JSON reader: enough for the messages of a match host, which are well formed.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

class Json {
public:
    static Json parse(const std::string& text) {
        Reader reader{text};
        return reader.value();
    }

    const Json& operator[](const std::string& key) const { return members_.at(key); }
    const std::vector<Json>& items() const { return items_; }
    const std::string& text() const { return text_; }
    int number() const { return static_cast<int>(integer_); }
    std::int64_t integer() const { return integer_; }  // for sets of territories: bit t stands for territory t

    std::vector<int> numbers() const {
        std::vector<int> found;
        for (const Json& item : items_) found.push_back(item.number());
        return found;
    }

private:
    std::int64_t integer_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::map<std::string, Json> members_;

    struct Reader {
        const std::string& in;
        std::size_t at = 0;

        Json value() {
            skip_space();
            Json json;
            switch (peek()) {
                case '{':
                    read_list('}', [&] {
                        std::string key = string();
                        expect(':');
                        json.members_.emplace(std::move(key), value());
                    });
                    break;
                case '[':
                    read_list(']', [&] { json.items_.push_back(value()); });
                    break;
                case '"':
                    json.text_ = string();
                    break;
                default:
                    json.integer_ = word();
            }
            return json;
        }

        template <typename ReadOne>
        void read_list(char end, ReadOne read_one) {
            ++at;
            skip_space();
            if (peek() == end) {
                ++at;
                return;
            }
            while (true) {
                skip_space();
                read_one();
                skip_space();
                if (peek() == end) {
                    ++at;
                    return;
                }
                expect(',');
            }
        }

        // A whole number; true, false and null become 1, 0 and 0.
        std::int64_t word() {
            const std::size_t begin = at;
            while (at < in.size() && std::string(",]} \t\r\n").find(in[at]) == std::string::npos) ++at;
            const std::string found = in.substr(begin, at - begin);
            if (found == "true" || found == "false" || found == "null") return found == "true";
            return std::stoll(found);
        }

        // Characters beyond ASCII, if written as \u, become question marks: no field that matters has any.
        std::string string() {
            std::string found;
            expect('"');
            while (peek() != '"') {
                if (in[at] != '\\') {
                    found += in[at++];
                    continue;
                }
                ++at;
                const char sign = peek();
                at += sign == 'u' ? 5 : 1;
                found += sign == 'n' ? '\n' : sign == 't' ? '\t' : sign == 'u' ? '?' : sign;
            }
            ++at;
            return found;
        }

        char peek() const {
            if (at >= in.size()) throw std::runtime_error("the line ends too early");
            return in[at];
        }

        void expect(char sign) {
            skip_space();
            if (peek() != sign) throw std::runtime_error(std::string("expected ") + sign);
            ++at;
        }

        void skip_space() {
            while (at < in.size() && (in[at] == ' ' || in[at] == '\t' || in[at] == '\r' || in[at] == '\n')) ++at;
        }
    };
};
