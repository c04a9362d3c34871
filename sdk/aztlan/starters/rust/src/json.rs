//! A small reader of JSON: enough for what a match host writes.

use std::collections::HashMap;

pub enum Json {
    Object(HashMap<String, Json>),
    Array(Vec<Json>),
    Text(String),
    Number(f64),
    Other,
}

impl Json {
    pub fn parse(text: &str) -> Json {
        Reader { bytes: text.as_bytes(), at: 0 }.value()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(found) => found.get(key).unwrap_or(&Json::Other),
            _ => &Json::Other,
        }
    }

    pub fn items(&self) -> &[Json] {
        match self {
            Json::Array(found) => found,
            _ => &[],
        }
    }

    /// A list of numbers; what is hidden (-1) counts as 0.
    pub fn numbers(&self) -> Vec<usize> {
        self.items().iter().map(Json::number).collect()
    }

    pub fn number(&self) -> usize {
        match self {
            Json::Number(found) => *found as usize,
            _ => 0,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(found) => found,
            _ => "",
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Json {
        self.skip();
        match self.peek() {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => Json::Text(self.string()),
            b't' | b'f' | b'n' => self.word(),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Json {
        let mut found = HashMap::new();
        self.at += 1;
        while !self.closes(b'}') {
            let key = self.string();
            self.skip();
            self.at += 1; // the colon
            found.insert(key, self.value());
        }
        Json::Object(found)
    }

    fn array(&mut self) -> Json {
        let mut found = Vec::new();
        self.at += 1;
        while !self.closes(b']') {
            found.push(self.value());
        }
        Json::Array(found)
    }

    /// Skip a comma; say whether the bracket closes here.
    fn closes(&mut self, bracket: u8) -> bool {
        self.skip();
        if self.peek() == b',' {
            self.at += 1;
            self.skip();
        }
        let closed = self.peek() == bracket;
        self.at += usize::from(closed);
        closed
    }

    fn string(&mut self) -> String {
        let mut found = Vec::new();
        self.at += 1;
        while self.peek() != b'"' {
            if self.peek() == b'\\' {
                self.at += 1;
                self.escaped(&mut found);
            } else {
                found.push(self.peek());
            }
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&found).into_owned()
    }

    fn escaped(&mut self, found: &mut Vec<u8>) {
        match self.peek() {
            b'n' => found.push(b'\n'),
            b't' => found.push(b'\t'),
            b'r' => found.push(b'\r'),
            b'u' => {
                let digits = std::str::from_utf8(&self.bytes[self.at + 1..self.at + 5]).unwrap_or("3f");
                let sign = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or('?');
                found.extend(sign.to_string().as_bytes());
                self.at += 4;
            }
            other => found.push(other),
        }
    }

    fn number(&mut self) -> Json {
        let from = self.at;
        while b"+-.eE0123456789".contains(&self.peek()) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.bytes[from..self.at]).unwrap_or("0");
        Json::Number(text.parse().unwrap_or(0.0))
    }

    fn word(&mut self) -> Json {
        while self.peek().is_ascii_alphabetic() {
            self.at += 1;
        }
        Json::Other
    }

    fn skip(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// The next byte; past the end a zero.
    fn peek(&self) -> u8 {
        *self.bytes.get(self.at).unwrap_or(&0)
    }
}
