#include "tests/fuzz/text.h"

#include <stdlib.h>
#include <string.h>

bool rp_fuzz_parsed(rp_status_t status, const rp_complaint_t *complaint)
{
    if (status == RP_OK) {
        return true;
    }
    if (memchr(complaint->sentence, '\0', sizeof(complaint->sentence)) == NULL ||
        complaint->sentence[0] == '\0') {
        abort();
    }
    for (const char *at = complaint->sentence; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            abort();
        }
    }
    return false;
}
