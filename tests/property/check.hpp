// RapidCheck inside GoogleTest: CHECK_PROPERTY("text", [](args...) { RC_ASSERT(...); });
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

template <class F>
void check_property(const std::string& text, F&& f) {
  EXPECT_TRUE(rc::check(text, std::forward<F>(f))) << text;
}
