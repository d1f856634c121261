/* expect: assertion at depth 3 in process 1.  errors: assertion 1.  message: "VS_assert(letters<2, 1>(word).size() == 2)".
 *
 * C++ with strings, containers, exceptions and a comma in the assertion.
 * SPDX-License-Identifier: MIT */
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <verisoft.h>

template <int base, int step> static std::map<char, int> letters(const std::string &word)
{
    std::map<char, int> count;
    for (char c : word)
        count[c] += base + step;
    return count;
}

static std::string receive(int queue)
{
    std::string word = static_cast<const char *>(rcv_from_queue(queue, 2));
    if (word.empty())
        throw std::runtime_error("empty");
    return word;
}

int main()
{
    std::vector<std::string> words = { "", "aab", "abc" };
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        send_to_queue(queue, 2, words[VS_toss(2)].c_str());
        exit(0);
    }
    try {
        std::string word = receive(queue);
        VS_assert(letters<2, 1>(word).size() == 2);              /* ERROR */
    } catch (const std::runtime_error &) {
        VS_assert(true);
    }
    return 0;
}
